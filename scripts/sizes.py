"""Sizes of printed pictures, as journals of two columns have them."""

COLUMN, PAGE = 3.5, 7.16  # widths in inches
SMALLEST = 6.5  # points of type
