"""The C side of RoBIOS: headers and library for programs in C and C++, built with the machine's compiler (`build`).

`include` and `classic` have the headers of the two APIs. The library is `core` with either `robios7` or `classic`.
"""
