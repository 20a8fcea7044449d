/** The day of an instant (RFC 3339) in a time zone, as people write it in a language. */
export const dayIn = (language: string, timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(Date.parse(at));

/** The same with the time of day and the zone. */
export const momentIn = (language: string, timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(Date.parse(at));
