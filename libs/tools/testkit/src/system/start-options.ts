/**
 * Options of Node.js for processes that live for seconds. A function is optimized when it has run seven times as long as
 * usual: what starts was optimized and then hardly used, a third of the processor time of a start.
 */
export const startOptions: readonly string[] =
  // V8 counts calls since Node.js 22, and refuses what it does not know.
  Number.parseInt(process.versions.v8) < 12
    ? ['--interrupt-budget=1000000']
    : ['--invocation-count-for-maglev=2800', '--invocation-count-for-turbofan=21000'];
