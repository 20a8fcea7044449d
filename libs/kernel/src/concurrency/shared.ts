let isFreezing = false;

/**
 * Hands out what several requests are given, and what therefore nobody may change: remembered states, pages of lists,
 * documents that last. Costs nothing; tests have it frozen, with all that is in it, so that a change throws there.
 */
export function shared<Value>(value: Value): Value {
  if (isFreezing) freeze(value);
  return value;
}

/** Has everything that is shared from now on frozen. For tests. */
export function freezeShared(): void {
  isFreezing = true;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  // The bytes of a view cannot be frozen.
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
