import { heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import { formReply } from './form.schema.ts';
import { formOf, forms } from './form.rows.ts';
import { type Form, formStatuses } from '../form.ts';
import { formParams, loadForm } from './loaded-form.ts';
import { formDocument } from './form.view.ts';

const reading = {
  area: 'forms',
  scope: 'forms:read',
  anonymous: true,
  staff: heads,
  method: 'GET',
  status: 200,
} as const;

const isOpen = ({ status }: Form, { view }: Pick<Call, 'view'>): boolean => status === 'live' || view === 'staff';

const listForms = operation({
  ...reading,
  id: 'listForms',
  path: '/api/forms',
  summary: 'List forms',
  description:
    'Forms that public pages show; owners and admins get the others, too, where `status` asks for them. Newest first. A form is written as a block of its page. Follows writes with a short delay: see Consistency-Token.',
  readModel: forms,
  query: z.strictObject({
    ...listFilters,
    status: z.enum(formStatuses).default('live').meta({ description: 'retired = no public page shows it any more.' }),
    page_id: z.string().min(1).max(64).optional(),
    ...fieldsOf(formReply),
  }),
  reply: listOf(formReply),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    const { status, page_id } = call.query;
    if (status !== 'live' && call.view !== 'staff') return listReply({ items: [], more: false }, () => undefined, sort);
    const where = [
      { field: 'status', is: status },
      ...given(page_id, (is) => ({ field: 'page_id', is })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(forms, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => formDocument(id, formOf(body), call.view), sort);
  },
});

const getForm = operation({
  ...reading,
  id: 'getForm',
  path: '/api/forms/{form}',
  summary: 'Read a form',
  description: 'As of now: what it asks for. What no public page shows is for owners and admins only.',
  params: formParams,
  query: z.strictObject(fieldsOf(formReply)),
  reply: formReply,
  async handle(call, ports) {
    const { form: id = '' } = call.params;
    const { form, ...found } = await loadForm(ports, call.school, id);
    if (!isOpen(form, call)) throw new Problem('not_found');
    return { body: formDocument(id, form, call.view), ...asOf(found) };
  },
});

/** What is read of forms. */
export const formOperations: readonly Operation[] = [listForms, getForm];
