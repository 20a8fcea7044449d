/** Posts something as the staff; gives the body of the answer. Throws when it is refused. */
type Post = (path: string, json?: object) => Promise<{ readonly id: string }>;

/** A course of one lesson that is for sale in dollars; gives its id. `lecturer`: the id of one of the school. */
export async function publishedCourse(
  post: Post,
  lecturer: string,
  { amount, ...more }: { readonly title: string; readonly amount: number; readonly seat_limit?: number },
): Promise<string> {
  const prices = [{ amount, currency: 'USD' }];
  const { id } = await post('/api/courses', { access: 'paid', prices, lecturer_ids: [lecturer], ...more });
  const at = `/api/courses/${id}`;
  const section = await post(`${at}/sections`, { title: 'All' });
  const release = { type: 'immediate' };
  const lesson = await post(`${at}/lessons`, { section_id: section.id, title: 'First', type: 'text', release });
  await post(`${at}/lessons/${lesson.id}/publish`);
  await post(`${at}/publish`);
  return id;
}
