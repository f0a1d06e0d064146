"""Language models behind one seam. Without one nothing here is imported."""
