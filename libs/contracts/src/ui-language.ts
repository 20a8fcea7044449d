import { uiLocales } from './access/oauth-surface.ts';

/** A language of the pages. */
export type UiLanguage = (typeof uiLocales)[number];

/** What tells the language of a reader, strongest first. */
export interface LanguageWishes {
  /** `ui_locales`: language tags separated by spaces, most wanted first. @see OIDC Core §3.1.2.1 */
  readonly asked?: string | undefined;
  /** `Accept-Language`. @see RFC 9110 §12.5.4 */
  readonly accepted?: string | undefined;
  /** The locale of the school. */
  readonly school?: string | undefined;
}

/** What one line may name; whoever sends more names nothing further. */
const [longest, most] = [500, 20];

/** The first language wanted that pages have, else English. Never fails, whatever was sent. */
export function uiLanguage({ asked, accepted, school }: LanguageWishes): UiLanguage {
  const wanted = [...(asked ?? '').slice(0, longest).split(' ').slice(0, most), ...byWeight(accepted), school ?? ''];
  for (const tag of wanted) {
    // `pt-BR` is served with `pt`. @see RFC 4647 §3.4
    const language = tag.split('-')[0]!.toLowerCase();
    const found = uiLocales.find((each) => each === language);
    if (found) return found;
  }
  return 'en';
}

/** The tags of an `Accept-Language` line, heaviest first; what is refused by a weight of 0 is left out. */
function byWeight(line: string | undefined): readonly string[] {
  if (!line) return [];
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
