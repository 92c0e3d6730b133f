// expect: a sentence no compiler prints
static_assert(false, "another sentence");
