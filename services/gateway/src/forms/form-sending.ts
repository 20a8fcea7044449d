import { z } from 'zod';
import type { Api, ApiReply } from '../upstream/school-api.ts';
import { type ShownForm, fieldNames, shownForm } from './form-html.ts';

/** The content service gives no answer that a page could show. */
class FormUnavailable extends Error {
  override readonly name = 'FormUnavailable';
}

const read = shownForm.omit({ form_id: true }).extend({ id: shownForm.shape.form_id, submit_message: z.string() });

/** A form that a public page shows, and what is said once it was sent; undefined when none does. */
export async function readForm(
  api: Api,
  id: string,
): Promise<{ readonly form: ShownForm; readonly message: string } | undefined> {
  const { status, body } = await api(`/api/forms/${id}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new FormUnavailable(`/api/forms answers ${status}`);
  const { id: form_id, submit_message: message, ...form } = read.parse(body);
  return { form: { ...form, form_id }, message };
}

/** What a browser sent, as the API takes it. A box that is not ticked is not sent; what the form does not have stays out. */
function submissionOf({ fields }: ShownForm, sent: URLSearchParams) {
  const answers = fields.flatMap(({ key, type }): (readonly [string, string | boolean])[] => {
    const value = sent.get(fieldNames.answer(key));
    if (value === null) return [];
    return [[key, type === 'checkbox' ? value === 'true' : value.replaceAll('\r\n', '\n')]];
  });
  return {
    answers: Object.fromEntries(answers),
    consent: sent.get(fieldNames.consent) === 'true',
    website: (sent.get(fieldNames.trap) ?? '').slice(0, 2_000),
  };
}

/** What became of what was sent. */
export type Outcome =
  | { readonly is: 'sent' | 'gone' }
  | { readonly is: 'refused'; readonly problems: ReadonlyMap<string, 'missing' | 'wrong'> }
  | { readonly is: 'failed'; readonly status: 429 | 503; readonly wait: number };

const refusal = z.object({ details: z.array(z.object({ path: z.string(), code: z.string() })).default([]) });

/** What is wrong with the answers, by the keys of their fields. */
function problemsIn({ body }: ApiReply): ReadonlyMap<string, 'missing' | 'wrong'> {
  const details = refusal.safeParse(body).data?.details ?? [];
  return new Map(
    details.flatMap(({ path, code }): (readonly [string, 'missing' | 'wrong'])[] => {
      const [first, key] = path.split('.');
      return first === 'answers' && key ? [[key, code === 'required' ? 'missing' : 'wrong']] : [];
    }),
  );
}

/** Sends a form for nobody in particular. */
export async function sendForm(api: Api, form: ShownForm, sent: URLSearchParams): Promise<Outcome> {
  const json = submissionOf(form, sent);
  const reply = await api(`/api/forms/${form.form_id}/submissions`, { method: 'POST', json });
  if (reply.status === 201) return { is: 'sent' };
  if (reply.status === 404) return { is: 'gone' };
  if (reply.status === 422 || reply.status === 413) return { is: 'refused', problems: problemsIn(reply) };
  const wait = Number(reply.header('retry-after') ?? 0) || 2;
  return { is: 'failed', status: reply.status === 429 ? 429 : 503, wait };
}
