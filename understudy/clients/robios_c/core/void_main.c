/* The entry of a program with void main(): it is compiled as robios_program, and returns success. */

void robios_program(int count, char **words);

int main(int count, char **words) {
    robios_program(count, words);
    return 0;
}
