// Nothing of its own: the headers of the tests are compiled with it.
