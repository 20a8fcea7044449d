/** What visitors wrote, and how. */
export interface Written {
  readonly texts: readonly string[];
  /** Whether a field is filled in that people do not see. */
  readonly isTrapped?: boolean | undefined;
  /** Milliseconds from when it was shown until it was sent, as far as is known. */
  readonly took?: number | undefined;
  /** Whether the same was sent a short time ago. */
  readonly isRepeated?: boolean | undefined;
}

/** Why something looks like spam. The names are stored. */
export const spamSigns = ['trap', 'haste', 'links', 'repeated', 'monotonous', 'hidden_text'] as const;

/** Why something looks like spam. */
export type SpamSign = (typeof spamSigns)[number];

/** How much something looks like spam, from 0 to 100, and why. */
export interface SpamScore {
  readonly score: number;
  readonly signs: readonly SpamSign[];
}

/** From this score on a person should look at it, and from this on it is spam. */
export const [doubtful, spam] = [30, 60] as const;

const link = /(?:https?:\/\/|www\.)|\[url|<a\s/giu;

/** Links that nobody minds, and what each one more weighs. */
const [harmlessLinks, ofLink] = [1, 20] as const;

/** A person needs longer to read a form. Milliseconds. */
const shortest = 2_000;

// Characters that show nothing, or turn the direction of what follows: people do not type them. A joiner within an emoji is one.
const hidden = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const weightOfLinks = (text: string): number => Math.min(60, Math.max(0, countOf(text, link) - harmlessLinks) * ofLink);

/** Whether a text of some length says one word again and again, or one text stands in several fields. */
function isMonotonous(texts: readonly string[]): boolean {
  const long = texts.map((text) => text.trim().toLowerCase()).filter((text) => text.length >= 12);
  if (new Set(long).size < long.length) return true;
  const words = long.join(' ').split(/\s+/u);
  return words.length >= 12 && new Set(words).size * 4 <= words.length;
}

/** Judges by plain rules: what nobody sees, haste, links, repetition. The same input has the same score. */
export function spamScore({ texts, isTrapped = false, took, isRepeated = false }: Written): SpamScore {
  const text = texts.join('\n');
  const weights: Readonly<Record<SpamSign, number>> = {
    trap: isTrapped ? 100 : 0,
    haste: took !== undefined && took < shortest ? 40 : 0,
    links: weightOfLinks(text),
    repeated: isRepeated ? 60 : 0,
    monotonous: isMonotonous(texts) ? 30 : 0,
    hidden_text: countOf(text, hidden) > 2 ? 30 : 0,
  };
  const score = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return { score: Math.min(100, score), signs: spamSigns.filter((sign) => weights[sign] > 0) };
}
