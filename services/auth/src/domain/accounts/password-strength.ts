import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** What keeps a password from being taken; each is a sentence of the page catalogue. */
export type PasswordProblem =
  'passwordTooShort' | 'passwordTooLong' | 'passwordCommon' | 'passwordPersonal' | 'passwordGuessable';

/** What a guesser knows about a person. */
export interface KnownOfPerson {
  readonly email?: string;
  readonly name?: string;
  readonly school: string;
}

const shortest = 8;
const longest = 1024;
/** What is estimated of a long password: the time to estimate grows faster than the length. */
const estimated = 64;
/** Fewer guesses than 10^6 (1) or 10^8 (2): within reach of an attacker who has the hashes. */
const leastScore = 2;

/** Typed on another keyboard, the same letters arrive composed or not: NFC makes them one password. @see RFC 8265 §4.2 */
export const normalisePassword = (password: string): string => password.normalize('NFC');

let loading: Promise<ZxcvbnFactory> | undefined;

/** Loaded with the first new password: 50,000 leaked passwords and the estimator take 25 MB that most processes never need. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs });
}

/**
 * What is wrong with a new password; undefined = it is good. Any characters will do, in any mixture: it is refused when
 * it is short, when leaks have it, or when it is soon guessed by patterns and by what is known of person and school.
 * @see NIST SP 800-63B §3.1.1.2
 */
export async function passwordProblem(given: string, known: KnownOfPerson): Promise<PasswordProblem | undefined> {
  const password = normalisePassword(given);
  const length = [...password].length;
  if (length < shortest) return 'passwordTooShort';
  if (length > longest) return 'passwordTooLong';
  const words = wordsOf(known);
  const { score, sequence } = (await (loading ??= load())).check(password.slice(0, estimated), [...words]);
  if (score >= leastScore) return undefined;
  const dictionaries = sequence.map((match) => ('dictionaryName' in match ? match.dictionaryName : undefined));
  if (dictionaries.includes('userInputs')) return 'passwordPersonal';
  return dictionaries.includes('passwords-common') ? 'passwordCommon' : 'passwordGuessable';
}

/** Whole and in parts, because people take parts. */
function wordsOf({ email = '', name = '', school }: KnownOfPerson): ReadonlySet<string> {
  const [local = '', domain = ''] = email.split('@');
  const parts = [email, local, domain, name, school].flatMap((text) => [
    text,
    text.replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ...text.split(/[^\p{L}\p{N}]+/u),
  ]);
  return new Set(parts.map((part) => part.toLowerCase()).filter((part) => part.length > 2));
}
