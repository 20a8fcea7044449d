/** Times the turns of the event loop until it is asked for the longest one, in milliseconds. */
export function observeTurns(): { longest(): number } {
  let [longest, before, isOver] = [0, performance.now(), false];
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest() {
      isOver = true;
      return longest;
    },
  };
}
