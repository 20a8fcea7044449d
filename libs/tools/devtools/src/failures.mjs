// What a jest report says of failures, so that the end of a long output tells them even where its middle was cut.

/** Lines of a failure that are told. */
const told = 12;
const colour = /\p{Cc}\[[0-9;]*m/gu;

const beginning = (text) =>
  text
    .replaceAll(colour, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, told)
    .map((line) => `    ${line.slice(0, 300)}`);

/** Lines for each test that failed, and for each suite that could not run: what failed, then the beginning of why. */
export function failuresOf({ testResults }, root = process.cwd()) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const suite = name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name;
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A suite fails without a test of its own that does where it does not load, or where its end fails.
    if (failed.length === 0) return status === 'failed' ? [`failed: ${suite}`, ...beginning(message)] : [];
    return failed.flatMap((test) => [
      `failed: ${suite} › ${test.fullName}`,
      ...beginning(test.failureMessages.join('\n')),
    ]);
  });
}
