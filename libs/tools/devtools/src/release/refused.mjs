/** Why there is no release: something that a person can mend. */
export class Refused extends Error {}
