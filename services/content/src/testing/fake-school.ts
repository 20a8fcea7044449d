/** The school service, and the services beside it, as far as content asks them. */
export class FakeSchool {
  /** Who wants no mail about events. */
  readonly quiet = new Set<string>();
  /** Whose address is not known. */
  readonly unknown = new Set<string>();

  /** Lecturers who are active, and courses that there are; null = the catalog is away. */
  teaching: ReadonlySet<unknown> | null = new Set();

  readonly answer = async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (service === 'auth' && question['kind'] === 'account') return { locale: 'en' };
    if (service === 'catalog' && question['kind'] === 'nameable') return this.#nameable(question);
    if (service !== 'school') return undefined;
    const ids = (question['ids'] ?? []) as readonly string[];
    switch (question['kind']) {
      case 'members-by-id':
        return {
          members: ids
            .filter((id) => !this.unknown.has(id))
            .map((id) => ({ id, name: `Name of ${id}`, email: `${id}@example.org`, tags: [] })),
        };
      case 'tag-sender':
        return { member: question['member'] ?? 'account_invited' };
      case 'notifications-of-members':
        return { members: ids.map((id) => ({ id, events: !this.quiet.has(id) })) };
      case 'seller':
        return {
          name: 'Lantern school',
          details: null,
          base_url: 'https://lantern.example.org',
          locale: 'en',
          timezone: 'Europe/Lisbon',
        };
      default:
        return undefined;
    }
  };

  #nameable({ lecturers, course }: Readonly<Record<string, unknown>>) {
    const { teaching } = this;
    if (!teaching) throw new Error('the catalog service is away');
    return {
      lecturers: (lecturers as readonly string[]).filter((id) => teaching.has(id)),
      course: teaching.has(course),
    };
  }
}
