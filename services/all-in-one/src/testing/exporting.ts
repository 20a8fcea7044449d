import { type Answer, Client, Person, type Place, call, patience, unzip } from '@lyceum/testkit';
import { inForce } from './in-force.ts';
import { linksIn, mailsTo } from './selling/mails-to.ts';

/** The files of an answer. Rejects what is no whole zip. */
export const unzipped = async (answer: Response): Promise<ReadonlyMap<string, string>> =>
  unzip(Buffer.from(await answer.arrayBuffer()));

/** A person of the first demo school who can sign in, and takes what is known of them. */
export class Exporting {
  readonly id: string;
  readonly school: string;
  readonly email: string;
  readonly token: string;
  readonly #place: Place;

  private constructor(place: Place, who: { id: string; school: string; email: string; token: string }) {
    this.#place = place;
    this.id = who.id;
    this.school = who.school;
    this.email = who.email;
    this.token = who.token;
  }

  /** Invites the person, who opens an account. */
  static async open(place: Place, email: string): Promise<Exporting> {
    const operate = (path: string, json?: object) =>
      call(`${place.operatorUrl}${path}`, { token: place.operatorToken, ...(json ? { json } : {}) });
    const listed = (await operate('/internal/schools')).body.data as { id: string; slug: string }[];
    const school = listed.find(({ slug }) => slug === 'lantern-craft')!.id;
    const { body: invited } = await operate('/internal/members', { school, email, role: 'member' });
    const person = new Person();
    const password = 'seven kites above the harbour';
    const page = await person.visit(invited.invitation_url);
    await person.submit(page, { name: 'Zoë of the exports', password });
    const client = await Client.register(place.baseUrl);
    const { access_token: token } = await client.tokens(email, password, 'openid account:read account:write');
    return new Exporting(place, { id: invited.id, school, email, token });
  }

  /** Asks for the export. */
  request = (): Promise<Answer> =>
    call(`${this.#place.baseUrl}/api/account/export`, { method: 'POST', token: this.token });

  /** The links that were sent, once there is one; an empty list after a while without. */
  async links(): Promise<readonly string[]> {
    const look = async () =>
      (await mailsTo(this.#place.dataDir, this.email)).flatMap((mail) => linksIn(mail, '/oauth/export'));
    return inForce(patience, look, ({ length }) => length > 0);
  }

  /** Follows a link and presses the button. Rejects when the answer breaks off. */
  async download(link: string): Promise<Response> {
    const person = new Person();
    return person.download(await person.visit(link), { decision: 'yes' });
  }

  /** The files of a download. Rejects what is no whole zip. */
  async files(link: string): Promise<ReadonlyMap<string, string>> {
    const answer = await this.download(link);
    if (answer.status !== 200) throw new Error(`no download: ${answer.status}`);
    return unzipped(answer);
  }
}
