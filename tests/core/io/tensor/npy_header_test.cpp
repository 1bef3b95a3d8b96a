#include "core/io/tensor/npy_header.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "io/made_files.h"

namespace npy_header_test {

namespace {

std::filesystem::path numpy_file(const std::string& name) {
  return std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/tensors" / name;
}

core::Tensor only_tensor(const std::filesystem::path& path) {
  const auto file = core::open_tensors(path);
  REQUIRE(file->tensors.size() == 1);
  return file->tensors[0];
}

std::string npy_complaint(const std::string& bytes) {
  const made::Folder folder;
  return made::why_not(folder, folder.write("a.npy", bytes));
}

// With the numbers of a 2 by 3 float32.
std::string dictionary_complaint(const std::string& dictionary) {
  return npy_complaint(made::npy_header(dictionary) + std::string(24, '\0'));
}

const std::string kNoDictionary =
    "a.npy: expected a header of 'descr', 'fortran_order' and 'shape', got \"";

}  // namespace

TEST_CASE("headers that NumPy wrote: versions 1 to 3, both orders of bytes and of axes") {
  const core::Tensor first = only_tensor(numpy_file("matrix.npy"));
  CHECK(first.name == "matrix");
  CHECK(first.type == core::NumberType::float32);
  CHECK(first.shape == std::vector<core::Index>{3, 5});
  CHECK_FALSE(first.fortran_order);
  CHECK_FALSE(first.big_endian);
  CHECK(first.begin == 128);
  const core::Tensor second = only_tensor(numpy_file("version_2.npy"));
  CHECK(second.type == core::NumberType::float64);
  CHECK(second.big_endian);
  const core::Tensor third = only_tensor(numpy_file("version_3.npy"));
  CHECK(third.type == core::NumberType::uint16);
  CHECK(third.fortran_order);
}

TEST_CASE("headers are read however they are spaced, in any order") {
  const made::Folder folder;
  const std::string data(24, '\0');
  for (const std::string dictionary :
       {"{'descr':'<f4','fortran_order':False,'shape':(2,3)}",
        "{ \"shape\" : ( 2L , 3L, ) , 'fortran_order' : False, 'descr' : '<f4' , }  \n",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (6,), }",
        "{'descr': '=f4', 'fortran_order': True, 'shape': (1, 1, 6), }"}) {
    CAPTURE(dictionary);
    const auto path = folder.write("a.npy", made::npy_header(dictionary) + data);
    CHECK(only_tensor(path).count() == 6);
  }
}

TEST_CASE("what NumPy writes that holds no plain numbers is refused, and never unpickled") {
  const made::Folder folder;
  const auto complaint = [&](const std::string& name) {
    const auto path = folder.path() / name;
    std::filesystem::copy_file(numpy_file(name), path);
    return made::why_not(folder, path);
  };
  CHECK(complaint("objects.npy") ==
        "objects.npy: expected numbers, got Python objects, which are never unpickled");
  CHECK(complaint("records.npy") ==
        "records.npy: expected plain numbers, got records of several fields");
  const std::string wanted =
      ": expected bool, integers of 8 to 64 bits or floats of 16 to 64 bits, got the type \"";
  CHECK(complaint("complex.npy") == "complex.npy" + wanted + "<c16\"");
  CHECK(complaint("texts.npy") == "texts.npy" + wanted + "<U2\"");
}

TEST_CASE("every damaged header gets one sentence") {
  CHECK(npy_complaint("") == "a.npy: expected an array that begins with \\x93NUMPY, got \"\"");
  CHECK(npy_complaint("PK\x03\x04 and more") ==
        "a.npy: expected an array that begins with \\x93NUMPY, got \"PK\\x03\\x04 and\"");
  CHECK(npy_complaint("\x93NUM") ==
        "a.npy: expected a header that ends within its 4 bytes, got 10");
  CHECK(npy_complaint("\x93NUMPY\x01") ==
        "a.npy: expected a header that ends within its 7 bytes, got 10");
  CHECK(npy_complaint("\x93NUMPY\x04" + std::string(9, '\0')) ==
        "a.npy: expected version 1.0, 2.0 or 3.0 of .npy, got 4.0");
  CHECK(npy_complaint("\x93NUMPY\x01\x01" + std::string(9, '\0')) ==
        "a.npy: expected version 1.0, 2.0 or 3.0 of .npy, got 1.1");
  const std::string begin = "\x93NUMPY" + std::string("\x02\x00", 2);
  CHECK(npy_complaint(begin + "\xff\xff\xff\xff{}") ==
        "a.npy: expected a header that ends within its 14 bytes, got 4294967307");
  CHECK(npy_complaint(begin + made::little(2'000'000, 4) + std::string(2'000'000, ' ')) ==
        "a.npy: expected a header of at most 1048576 bytes, got 2000012");
  for (const std::string dictionary :
       {"", "{}", "[]", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3.0)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} and more",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2, 3)}"}) {
    CAPTURE(dictionary);
    CHECK(dictionary_complaint(dictionary) == kNoDictionary + dictionary + "\"");
  }
}

TEST_CASE("shapes that no file can have are refused before anything is taken for them") {
  const auto shape_complaint = [](const std::string& shape) {
    return npy_complaint(made::npy("<f4", shape, std::string(24, '\0')));
  };
  const std::string uncountable = "a.npy: expected a shape whose bytes can be counted, got ";
  CHECK(shape_complaint("(4294967296, 4294967296)") == uncountable + "(4294967296, 4294967296)");
  CHECK(shape_complaint("(0, 4294967296, 4294967296)") ==
        uncountable + "(0, 4294967296, 4294967296)");
  CHECK(shape_complaint("(99999999999999999999, 2)") == uncountable + "99999999999999999999, 2");
  CHECK(shape_complaint("(2305843009213693952,)") == uncountable + "(2305843009213693952)");
  CHECK(shape_complaint("(1000000000000, 3)") ==
        "a.npy: expected 12000000000000 bytes of float32 for the shape (1000000000000, 3), got 24");
  CHECK(shape_complaint("(2, 2)") ==
        "a.npy: expected 16 bytes of float32 for the shape (2, 2), got 24");
  std::string ones = "(1,";
  for (int k = 0; k < 64; ++k) ones += " 1,";
  CHECK(shape_complaint(ones + ")") == "a.npy: expected at most 64 axes, got 65");
}

}  // namespace npy_header_test
