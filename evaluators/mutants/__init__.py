"""How strong tests are: faults are planted in a right program, and tests have to find them."""
