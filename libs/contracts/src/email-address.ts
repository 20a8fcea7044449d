/** One character and up on each side of the last sign, within the lengths of RFC 5321 §4.5.3.1; no blanks or controls. */
const shape = /^[^\s\p{Cc}@]{1,64}@[^\s\p{Cc}@]{1,189}$/u;

/**
 * What RFC 8264 §4.2 lets a name consist of: letters, digits, marks, visible ASCII. No symbols, nothing that cannot be
 * seen, nothing that Unicode does not know yet.
 */
const identifier = /^(?:[\x21-\x7e]|(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Nd}\p{Mn}\p{Mc}])*$/u;

/** Hangul of before 1933 is written in parts that look like whole syllables. @see RFC 8264 §9.9 */
const oldHangul = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

/** Whether a text has characters that only stand for others, such as `ﬁ` for `fi`. @see RFC 8264 §9.17 */
const hasCompatibility = (text: string): boolean => text.normalize('NFKC') !== text.normalize('NFC');

/**
 * The form under which two spellings of an e-mail address are the same person. It also folds what `readEmail` refuses, so
 * that whoever has such an address from before is found by it; of two addresses that `readEmail` gives it equates only
 * those that differ in case.
 */
export const foldEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/**
 * An address as it is written to and kept, from what somebody typed; undefined when it is none or could be taken for
 * another one. Names are checked as the profile UsernameCaseMapped does, which has no compatibility mapping; case stays.
 * @see RFC 8265 §3.3, RFC 8264 §4.2
 */
export function readEmail(typed: string): string | undefined {
  const email = typed.trim().normalize('NFC');
  if (!shape.test(email) || hasCompatibility(email)) return undefined;
  const name = email.slice(0, email.lastIndexOf('@'));
  return identifier.test(name) && !oldHangul.test(name) ? email : undefined;
}

/** Whether two addresses are one, where a right depends on it: characters that stand for others are others. */
export const isSameEmail = (one: string, other: string): boolean => strict(one) === strict(other);

const strict = (email: string): string => email.trim().normalize('NFC').toLowerCase();
