import { fold } from '@lyceum/eventlog';
import { paramsOf } from '@lyceum/service';
import { type Ports, Problem } from '@lyceum/web';
import { formStream } from '../form.ts';

/** The form that a path names. */
export const formParams = paramsOf('form', false);

/** The form of an id, as of now. Throws 404 when no published page ever showed it. */
export async function loadForm({ log }: Pick<Ports, 'log'>, school: string, id: string) {
  const { state, ...found } = await fold(log, formStream, school, id);
  if (!state) throw new Problem('not_found');
  return { ...found, form: state };
}
