/** Which tool mends what a service refuses, by the code of the refusal or of one of its details. */
const remedies: Readonly<Record<string, string>> = {
  lesson_missing:
    'upsert_section and upsert_lesson add a lesson, publish_lesson publishes it; then call publish_course again.',
  price_missing: 'upsert_course sets fields.prices, or fields.access to free or open.',
  price_currency: 'upsert_course sets fields.prices in the currency of the school, which get_school names.',
  lecturer_missing: 'upsert_course sets fields.lecturer_ids.',
  slug_taken: 'Call again with another fields.slug.',
  unknown_price: 'get_course with include: ["offers"] gives the ids of its prices.',
  currency_mismatch: 'get_school names the currency of the school.',
  order_mismatch: 'get_course with include: ["curriculum"] gives every section and lesson as they are now.',
  precondition_failed: 'get_course with include: ["curriculum"] gives the version of now; call again with it.',
  cycle: 'order_curriculum or upsert_lesson (fields.release) puts what it waits for before it.',
  last_lesson: 'publish_lesson publishes another lesson first.',
};

/** What to do about a refusal, in sentences; empty where no tool mends it. */
export function remedyFor(codes: readonly (string | undefined)[]): string {
  return [...new Set(codes)]
    .map((code) => (code !== undefined && Object.hasOwn(remedies, code) ? ` ${remedies[code]}` : ''))
    .join('');
}
