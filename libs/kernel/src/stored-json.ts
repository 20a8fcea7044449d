/** Reads JSON that this system wrote itself, of a value of this type. What others sent is parsed by a schema. */
export const storedJson = <Value>(text: string): Value => JSON.parse(text);

/** A copy of a value that shares nothing with it, as it would come back from JSON. */
export const jsonCopy = <Value>(value: Value): Value => storedJson(JSON.stringify(value));
