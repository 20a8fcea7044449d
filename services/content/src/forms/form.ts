import type { Evolving } from '@lyceum/eventlog';
import { type EventContext, type Recorded, type SideEvent, same, uuidv5 } from '@lyceum/kernel';
import { type FormBlock, formsAmong } from '../form-blocks/form-block.ts';
import { type FormDefinition, type FormEvent, formEvents } from './form.events.ts';

/** Whether a published page shows the form. */
export const formStatuses = ['live', 'retired'] as const;

/** A form as it was defined last. */
export interface Form extends Readonly<FormDefinition>, Recorded {
  readonly status: (typeof formStatuses)[number];
}

/** A form; null = no published page ever showed it. */
export type FormState = Form | null;

function evolve(state: FormState, event: FormEvent, { at, version }: EventContext): FormState {
  const recorded = { created_at: state?.created_at ?? at, updated_at: at, version };
  if (event.type === 'FormDefined') return { ...event.data, status: 'live', ...recorded };
  return state && { ...state, status: 'retired', ...recorded };
}

/** Nothing is asked of a form by itself: it is defined and retired in the commits of its page. */
export const formStream: Evolving<FormState, FormEvent> = { events: formEvents, initial: null, evolve };

/** The id of the form that a page shows under a key: the same however often the page is published. */
export const formIdOf = (page: string, key: string): string => `form_${uuidv5('form', page, key)}`;

const defined = (page_id: string, { kind: _kind, form_id: _follows, ...definition }: FormBlock): SideEvent => ({
  stream: formIdOf(page_id, definition.key),
  type: 'FormDefined',
  schema: formEvents.FormDefined.version,
  data: { page_id, ...definition },
});

const retired = (page_id: string, { key }: FormBlock): SideEvent => ({
  stream: formIdOf(page_id, key),
  type: 'FormRetired',
  schema: formEvents.FormRetired.version,
  data: { page_id },
});

/** A block as a view of its page shows it: with its form, and without what is the staff's. */
export function formShown<Block extends { readonly kind: string }>(
  page: string,
  block: Block,
  isForStaff: boolean,
): Block {
  const [form] = formsAmong([block]);
  if (!form) return block;
  const shown = { ...form, form_id: formIdOf(page, form.key), ...(isForStaff ? {} : { tag_on_submit: null }) };
  return shown as unknown as Block;
}

/**
 * What a page leaves in the streams of its forms when its published blocks become others: none before the first publishing,
 * none when it is not public any more.
 */
export function formSideEvents(
  page: string,
  before: readonly FormBlock[],
  after: readonly FormBlock[],
): readonly SideEvent[] {
  const known = new Map(before.map((block) => [block.key, block]));
  const shown = new Set(after.map(({ key }) => key));
  return [
    ...before.filter(({ key }) => !shown.has(key)).map((block) => retired(page, block)),
    ...after.filter((block) => !same(block, known.get(block.key))).map((block) => defined(page, block)),
  ];
}
