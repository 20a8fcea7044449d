/** The members that a body states: what it leaves out is not there, rather than undefined. */
export const stated = <Members extends object>(given: {
  readonly [Name in keyof Members]?: Members[Name] | undefined;
}): Partial<Members> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Members>;
