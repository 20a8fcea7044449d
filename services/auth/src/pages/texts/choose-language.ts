import { english } from './en.ts';
import { languages } from './languages.ts';
import type { Texts } from './texts.ts';

/** What tells the language of a reader, strongest first. */
export interface Wishes {
  /** `ui_locales`: language tags separated by spaces, most wanted first. @see OIDC Core §3.1.2.1 */
  readonly asked?: string | undefined;
  /** `Accept-Language`. @see RFC 9110 §12.5.4 */
  readonly accepted?: string | undefined;
  /** The locale of the school. */
  readonly school?: string | undefined;
}

/** What one line may name; whoever sends more names nothing further. */
const [longest, most] = [500, 20];

/** The sentences in the first language wanted that there is, else in English. Never fails, whatever was sent. */
export function textsFor({ asked, accepted, school }: Wishes): Texts {
  const wanted = [...(asked ?? '').slice(0, longest).split(' ').slice(0, most), ...byWeight(accepted), school ?? ''];
  for (const tag of wanted) {
    // `pt-BR` is served with `pt`. @see RFC 4647 §3.4
    const language = tag.split('-')[0]!.toLowerCase();
    if (Object.hasOwn(languages, language)) return languages[language]!;
  }
  return english;
}

/** The tags of an `Accept-Language` line, heaviest first; what is refused by a weight of 0 is left out. */
function byWeight(line = ''): readonly string[] {
  const ranges = line
    .slice(0, longest)
    .split(',')
    .slice(0, most)
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = Number(parameters.find((part) => /^q=/i.test(part))?.slice(2) ?? 1);
      return { tag, weight: Number.isNaN(weight) ? 0 : weight };
    });
  return ranges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
