// Nothing of its own: the headers of the boxes are compiled with it.
