/**
 * Options of Node.js for processes that live for seconds. A function is optimized when it has run seven times as long as
 * usual: what starts was optimized and then hardly used, a third of the processor time of a start.
 */
export const startOptions: readonly string[] = ['--interrupt-budget=1000000'];
