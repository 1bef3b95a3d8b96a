# Proves that the runner fails when it should: on copies of one reference file, each broken in one
# way, it must exit with 1 and say what is wrong.
file(REMOVE_RECURSE ${SCRATCH})
file(READ ${REFERENCE}/01_softmax.json intact)

function(expect name text status words)
  file(WRITE ${SCRATCH}/${name}/01_softmax.json "${text}")
  execute_process(COMMAND ${RUNNER} ${SCRATCH}/${name} ${ARGN} RESULT_VARIABLE came
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${words}" found)
  if(NOT came STREQUAL "${status}" OR found EQUAL -1)
    message(FATAL_ERROR "${name}: expected exit status ${status} and \"${words}\", got ${came} and:\n${output}")
  endif()
endfunction()

# CMake lists split at semicolons; the notes' only job here is not to be in the way.
string(REPLACE ";" "," intact "${intact}")

expect(intact "${intact}" 0 ", 0 failed")

# 1. A wrong number.
string(REGEX REPLACE "\"logsumexp\": *[-+0-9.e]+" "\"logsumexp\": 99.0" changed "${intact}")
expect(number "${changed}" 1 "want 99")
# 2. A key that nothing computes.
string(REGEX REPLACE "\"logsumexp\":" "\"surprise\": 1.0, \"logsumexp\":" changed "${intact}")
expect(key "${changed}" 1 "key surprise not compared")
# 3. A NaN where a number is computed.
string(REGEX REPLACE "\"entropy_nats\": *[-+0-9.e]+" "\"entropy_nats\": \"NaN\"" changed "${intact}")
expect(nan "${changed}" 1 "want nan")
# 4. A missing input.
string(REGEX REPLACE "\"logits\":" "\"logit\":" changed "${intact}")
expect(input "${changed}" 1 "expected a key \"logits\"")
# 5. A shape that does not fit its numbers.
string(REGEX REPLACE "\"shape\": *\\[5\\]" "\"shape\": [6]" changed "${intact}")
expect(shape "${changed}" 1 "expected as many values as shape [6] has")
# 6. Not JSON, cut short, empty, of another layout.
string(LENGTH "${intact}" length)
math(EXPR half "${length} / 2")
string(SUBSTRING "${intact}" 0 ${half} changed)
expect(cut "${changed}" 1 "it is not valid JSON from line 1")
expect(empty "" 1 "it is not valid JSON")
expect(number_only "3" 1 "expected an object")
expect(no_cases "{\"topic\": \"01_softmax\", \"title\": \"\", \"cases\": []}" 1 "at least one case")
# 7. A topic and a folder that are not there.
expect(topic "${intact}" 1 "expected case files no_such.json" --topic no_such)
execute_process(COMMAND ${RUNNER} ${SCRATCH}/nowhere RESULT_VARIABLE came ERROR_VARIABLE output)
if(NOT came EQUAL 1 OR NOT output MATCHES "expected a folder of case files")
  message(FATAL_ERROR "nowhere: expected exit status 1 and a sentence, got ${came} and: ${output}")
endif()

# A statement is covered by the cases that settle it, wherever in the folder they lie, and by nothing
# else: not by numbers of its own, and not where they are not there or fail.
file(READ ${REFERENCE}/12_seed_errata.json said)
string(REPLACE ";" "," said "${said}")
file(WRITE ${SCRATCH}/settled/12_seed_errata.json "${said}")
function(expect_statement words)
  execute_process(COMMAND ${RUNNER} ${SCRATCH}/settled --topic 12_seed_errata RESULT_VARIABLE came
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${words}" found)
  if(found EQUAL -1 OR NOT came STREQUAL "${ARGV1}")
    message(FATAL_ERROR "expected exit status ${ARGV1} and \"${words}\", got ${came} and:\n${output}")
  endif()
endfunction()
expect_statement("not covered  12_seed_errata erratum_004-4: this folder has no case 01_softmax" 0)
file(WRITE ${SCRATCH}/settled/01_softmax.json "${intact}")
expect_statement("passed       12_seed_errata erratum_004-4 (3 cases pass, asked in softmax" 0)
string(REGEX REPLACE "\"name\": *\"softmax_jacobian\"" "\"name\": \"softmax_other\"" changed "${intact}")
file(WRITE ${SCRATCH}/settled/01_softmax.json "${changed}")
expect_statement("not covered  12_seed_errata erratum_004-4: this folder has no case 01_softmax softmax_jacobian" 0)
string(REGEX REPLACE "\"jacobian\":" "\"surprise\":" changed "${intact}")
file(WRITE ${SCRATCH}/settled/01_softmax.json "${changed}")
expect_statement("FAILED       12_seed_errata erratum_004-4: 01_softmax softmax_jacobian, which settles it, failed" 1)
string(REGEX REPLACE "erratum_004-4" "erratum_009-9" changed "${said}")
file(WRITE ${SCRATCH}/settled/12_seed_errata.json "${changed}")
expect_statement("not covered  12_seed_errata erratum_009-9: statements.csv has no place for it" 0)
