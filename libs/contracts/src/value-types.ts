import { isTimeZone } from '@lyceum/kernel';
import { z } from 'zod';

const surrogate = /\p{Surrogate}/u;
const control = /\p{Control}/u;

/** Length as a person counts it: code points, which is also what JSON Schema's `maxLength` means. */
const length = (value: string): number => [...value].length;

const within = (min: number, max: number) => (value: string) => length(value) >= min && length(value) <= max;

/** One line of plain text without control characters, trimmed, `min` to `max` code points. */
export const line = (min: number, max: number) =>
  z
    .string()
    .trim()
    .refine((value) => !surrogate.test(value) && !control.test(value), 'must be one line of valid Unicode text')
    .refine(within(min, max), `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });

/** Plain text of several lines, trimmed, at most `max` code points. */
export const paragraph = (max: number) =>
  z
    .string()
    .trim()
    .refine((value) => !surrogate.test(value) && !control.test(value.replaceAll(/[\r\n\t]/g, '')), 'must be plain text')
    .refine(within(0, max), `must have at most ${max} characters`)
    .meta({ maxLength: max });

// An overwrite also runs on what a check before it has refused.
const utc = (value: string): string => {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? value : at.toISOString();
};

/** An instant. Any RFC 3339 offset is accepted; UTC is kept. */
export const instant = () => z.iso.datetime({ offset: true }).overwrite(utc);

/** An absolute https address of at most 2,048 characters, kept as the URL standard writes it. */
export const httpsUrl = () =>
  z
    .string()
    .max(2048)
    .refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', 'must be an https URL')
    .overwrite((value) => (URL.canParse(value) ? new URL(value).href : value))
    .meta({ format: 'uri' });

/** A slug as clients may state it. */
export const slug = z
  .string()
  .regex(/^[a-z0-9-]{3,80}$/, 'must be 3 to 80 of a-z, 0-9 and -')
  .meta({
    description: 'Name in addresses, unique in the school among its kind. What moves keeps its old slugs as redirects.',
    example: 'paper-lanterns',
  });

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value)[0] === value;
  } catch {
    return false;
  }
}

/** A time zone by its IANA name. */
export const timeZone = () =>
  z
    .string()
    .max(64)
    .refine(isTimeZone, 'an IANA time zone, e.g. Europe/Lisbon')
    .meta({ description: 'IANA name.', example: 'Europe/Lisbon' });

/** A language, spelt as BCP 47 would have it. */
export const languageTag = () =>
  z
    .string()
    .max(35)
    .refine(isLanguageTag, 'a BCP 47 language tag, e.g. pt-PT')
    .meta({ description: 'BCP 47.', example: 'en' });

let currencies: ReadonlySet<string> | undefined;
const isCurrency = (code: string): boolean => (currencies ??= new Set(Intl.supportedValuesOf('currency'))).has(code);

/** A currency by its ISO 4217 code. */
export const currencyCode = () =>
  z.string().refine(isCurrency, 'an ISO 4217 code, e.g. EUR').meta({ description: 'ISO 4217.', example: 'USD' });

const isPath = (value: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(value);
const isHttps = (value: string): boolean => URL.canParse(value) && new URL(value).protocol === 'https:';

/** Where a link leads: a path of the school's own site, or an absolute https address. */
export const linkTarget = () =>
  z
    .string()
    .max(2048)
    .refine((value) => isPath(value) || isHttps(value), 'must be a path that begins with one slash, or an https URL')
    .meta({ description: 'A path of the school’s own site, or an https URL.', example: '/courses' });

/** A link with its text. */
export const link = z.strictObject({ label: line(1, 60), url: httpsUrl() }).meta({ id: 'Link' });
