"""The LEGO RCX: `firmware` is the unit, `machine` its virtual machine; the other modules are parts of these."""
