import { addressed, authors, namingOf, resource, viewOfOwn } from '@lyceum/service';
import { given, type StatusTable } from '@lyceum/web';
import { z } from 'zod';
import { currencyOf, givenIn } from '../schools/known-schools.ts';
import { coverNamed } from '../files/named-cover.ts';
import { filesKept } from '../files/named-files.ts';
import { accessKinds, statuses } from './product.fields.ts';
import { changesOf, newProduct } from './product.input.ts';
import { changeProductBody, createProductBody, filesBody, productItem, productReply } from './product.schema.ts';
import { type ProductCode, productDecider, productSlug } from './product.ts';
import type { Product } from './product.state.ts';
import { downloadsFor } from './product.entitlement.ts';
import { productDocument } from './product.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const productStatuses = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<ProductCode>;

/** Digital products: published ones are everybody's, lecturers see and change all of their own. */
export const products = resource({
  noun: 'product',
  path: '/api/digital_products',
  area: 'digital_products',
  decider: productDecider,
  present: (state): Product | null => state,
  slugs: productSlug,
  statuses: productStatuses,
  access: {
    writers: authors,
    refusal: 'This product is not one of yours',
    viewer: (asking) => asking,
    viewOf: (asking, { created_by }) => viewOfOwn(asking, created_by === asking.principal?.subject),
    mayKnow: (asking, { status, created_by }) =>
      status === 'published' || viewOfOwn(asking, created_by === asking.principal?.subject) === 'staff',
    rows({ principal, view }) {
      const published = [{ field: 'status', is: 'published' }];
      if (view !== 'staff' || !principal) return [published];
      return principal.role === 'lecturer' ? [published, [{ field: 'created_by', is: principal.subject }]] : [[]];
    },
  },
  reply: productReply,
  item: productItem,
  document: productDocument,
  addressed: addressed('cover'),
  forMember: downloadsFor,
  list: {
    name: 'digital_products',
    version: 2,
    fields: { status: 'text', access: 'text', created_by: 'text' },
    statuses,
    texts: ({ title, summary }) => [title, summary],
    row: (product) => ({ ...product, description: [] }),
  },
});

const asProductFile = (file: z.output<typeof filesBody>['files'][number], index: number) => ({
  file,
  path: `files.${index}.file_id`,
  purposes: ['product_file'],
});

/** All operations on digital products. */
export const productOperations = [
  products.list({
    id: 'listDigitalProducts',
    summary: 'List digital products',
    description:
      'Published ones; for staff all of them, for lecturers also their own; archived ones only when `status` asks for them. Newest first. Follows writes with a short delay: see Consistency-Token.',
    filters: { access: z.enum(accessKinds).optional() },
    conditions: ({ access }) => given(access, (is) => ({ field: 'access', is })),
    searches: 'Beginnings of words of title or summary; all of them.',
  }),

  products.create({
    id: 'createDigitalProduct',
    summary: 'Create a digital product',
    description: 'Creates a draft. Without a slug one is made from the title.',
    body: createProductBody,
    errors: ['slug_taken', 'file_not_ready', 'temporarily_unavailable'],
    naming: ({ slug, title }) => namingOf(slug, title),
    async command(call, ports, id) {
      const known = await givenIn(call.school, ports);
      const made = {
        ...newProduct(call.body, known, await coverNamed(call, ports, call.body)),
        id,
        by: call.meta.actor,
        currency: known.currency,
      };
      return (slug) => ({ type: 'CreateProduct', slug, ...made });
    },
  }),

  products.get({
    id: 'getDigitalProduct',
    summary: 'Read a digital product',
    description:
      'By id or slug, as of now. A former slug answers 308 with the address of the present one. For members who may download it with the files, and how often they still may: that follows with a short delay.',
  }),

  products.change({
    id: 'changeDigitalProduct',
    summary: 'Change a digital product',
    description: 'A JSON Merge Patch. A published product has to stay complete.',
    body: changeProductBody,
    errors: ['slug_taken', 'not_ready', 'file_not_ready', 'invalid_state', 'temporarily_unavailable'],
    async command(call, ports) {
      const { school, body } = call;
      const known = await givenIn(school, ports);
      return async ({ thing }) => {
        const changes = changesOf(body, known, await coverNamed(call, ports, body, thing));
        return { command: { type: 'ChangeProduct', changes, currency: known.currency }, expectedVersions: [] };
      };
    },
  }),

  products.remove({
    id: 'deleteDigitalProduct',
    summary: 'Delete a digital product',
    description: 'Only one that was never published; others are archived.',
    errors: ['invalid_state'],
    command: () => ({ type: 'DeleteProduct' }),
  }),

  products.change({
    id: 'setDigitalProductFiles',
    method: 'PUT',
    below: '/files',
    summary: 'Set the files of a digital product',
    description: 'Replaces all files. A published product keeps at least one.',
    body: filesBody,
    errors: ['not_ready', 'file_not_ready', 'invalid_state', 'temporarily_unavailable'],
    async command(call, ports) {
      const { school, body } = call;
      const currency = await currencyOf(ports.documents, school);
      return async ({ thing }) => {
        const files = await filesKept(call, ports, body.files.map(asProductFile), thing.files);
        return { command: { type: 'SetFiles', files, currency }, expectedVersions: [] };
      };
    },
  }),

  products.change({
    id: 'publishDigitalProduct',
    method: 'POST',
    below: '/publish',
    summary: 'Publish a digital product',
    description: 'Makes it public; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
    errors: ['not_ready', 'invalid_state'],
    command: async ({ school }, { documents }) => ({
      type: 'PublishProduct',
      currency: await currencyOf(documents, school),
    }),
  }),

  products.change({
    id: 'unpublishDigitalProduct',
    method: 'POST',
    below: '/unpublish',
    summary: 'Unpublish a digital product',
    description: 'Hides it from the public. Whoever has access keeps it.',
    errors: ['invalid_state'],
    command: () => ({ type: 'UnpublishProduct' }),
  }),

  products.change({
    id: 'archiveDigitalProduct',
    method: 'POST',
    below: '/archive',
    summary: 'Archive a digital product',
    description: 'Hides it for good and ends changes; a published product is unpublished first.',
    errors: ['invalid_state'],
    command: () => ({ type: 'ArchiveProduct' }),
  }),
];
