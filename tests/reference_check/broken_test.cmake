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
expect(cut "${changed}" 1 "it is no JSON text from line 1")
expect(empty "" 1 "it is no JSON text")
expect(number_only "3" 1 "expected an object")
expect(no_cases "{\"topic\": \"01_softmax\", \"title\": \"\", \"cases\": []}" 1 "at least one case")
# 7. A topic and a folder that are not there.
expect(topic "${intact}" 1 "expected case files no_such.json" --topic no_such)
execute_process(COMMAND ${RUNNER} ${SCRATCH}/nowhere RESULT_VARIABLE came ERROR_VARIABLE output)
if(NOT came EQUAL 1 OR NOT output MATCHES "expected a folder of case files")
  message(FATAL_ERROR "nowhere: expected exit status 1 and a sentence, got ${came} and: ${output}")
endif()
