import { describe, expect, test } from '@jest/globals';
import { type FormBlock, formBlock } from '../form-blocks/form-block.ts';
import { formIdOf, formSideEvents, formStream } from './form.ts';

const page = 'page_1';

const block = (more: object = {}): FormBlock =>
  formBlock.parse({
    kind: 'form',
    key: 'contact',
    name: 'Contact',
    fields: [{ key: 'email', label: 'Your address', type: 'email', required: true }],
    ...more,
  });

const told = (before: readonly FormBlock[], after: readonly FormBlock[]) =>
  formSideEvents(page, before, after).map(({ type, stream }) => [type, stream]);

const at = '2026-01-05T08:00:00.000Z';
const folded = (...steps: readonly (readonly FormBlock[])[]) =>
  steps.slice(1).reduce(
    ({ state, version }, after, index) => {
      const events = formSideEvents(page, steps[index]!, after).filter(({ stream }) => stream === contact);
      return events.reduce(
        (before, { type, data }) => ({
          state: formStream.evolve(before.state, { type, data } as never, { at, version: before.version + 1 }),
          version: before.version + 1,
        }),
        { state, version },
      );
    },
    { state: formStream.initial, version: 0 },
  ).state;

const contact = formIdOf(page, 'contact');

describe('the forms of a page', () => {
  test('are defined with the first publishing, and retired when the page is public no more', () => {
    expect(told([], [block()])).toEqual([['FormDefined', contact]]);
    expect(told([block()], [])).toEqual([['FormRetired', contact]]);
  });

  test('are defined anew where the block says something else, and only there', () => {
    const other = block({ key: 'survey', name: 'Survey' });
    expect(told([block(), other], [other, block()])).toEqual([]);
    expect(told([block(), other], [other, block({ submit_message: 'Thanks' })])).toEqual([['FormDefined', contact]]);
    expect(told([block()], [other])).toEqual([
      ['FormRetired', contact],
      ['FormDefined', formIdOf(page, 'survey')],
    ]);
  });

  test('are the same forms under the same key, and others in another page', () => {
    expect(formIdOf(page, 'contact')).toBe(formIdOf(page, 'contact'));
    expect(formIdOf('page_2', 'contact')).not.toBe(contact);
    expect(contact).toMatch(/^form_[0-9a-f-]{36}$/);
  });

  test('are live exactly while a published page shows them', () => {
    expect(folded([], [block()])).toMatchObject({ status: 'live', name: 'Contact', created_at: at, version: 1 });
    expect(folded([], [block()], [])).toMatchObject({ status: 'retired', name: 'Contact', version: 2 });
    expect(folded([], [block()], [], [block({ name: 'Write' })])).toMatchObject({
      status: 'live',
      name: 'Write',
      version: 3,
    });
  });
});

describe('a form block', () => {
  const refused = (more: object) => formBlock.safeParse({ ...block(), ...more }).error?.issues.map(({ path }) => path);
  const field = { key: 'a', label: 'A', type: 'text' };

  test.each([
    ['no field', { fields: [] }, ['fields']],
    ['a key twice', { fields: [field, field] }, ['fields']],
    ['a key that is none', { fields: [{ ...field, key: '__proto__' }] }, ['fields', 0, 'key']],
    ['a choice without options', { fields: [{ ...field, type: 'choice' }] }, ['fields', 0, 'options']],
    ['options of a text', { fields: [{ ...field, options: ['x'] }] }, ['fields', 0, 'options']],
    ['an option twice', { fields: [{ ...field, type: 'choice', options: ['x', 'x'] }] }, ['fields', 0, 'options']],
    ['a length of a date', { fields: [{ ...field, type: 'date', max: 3 }] }, ['fields', 0, 'max']],
    ['a kind of field that there is not', { fields: [{ ...field, type: 'file' }] }, ['fields', 0, 'type']],
    ['a tag that nobody agrees to', { tag_on_submit: 'newsletter' }, ['tag_on_submit']],
    ['a label of two lines', { fields: [{ ...field, label: 'a\nb' }] }, ['fields', 0, 'label']],
  ])('is refused with %s', (_what, more, path) => expect(refused(more)).toEqual([path]));
});
