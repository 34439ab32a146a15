/* Numbers in text that is ours: the same in every locale. */
#ifndef PS_BASE_NUMBER_H
#define PS_BASE_NUMBER_H

/* As strtod in the C locale. */
double ps__number_parse(const char *text, char **end);

#endif
