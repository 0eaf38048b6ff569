/** Bytes in UTF-8 of the text that a reader types at the symbol CFG (DSK-02). */
export const typedBytes = 64 * 1024
