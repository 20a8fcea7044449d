// A school of an installation, as its operator and its people make it: provisioned, owned, with a course that is for sale.
import { createServer, connect } from 'node:net';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Person, call } from '@lyceum/testkit';

export const base = 'http://127.0.0.1:8080';
/** Addresses of the gateway and of the listeners for operators, by name. */
const services = JSON.parse(process.env.SERVICES);
const [gatewayHost, gatewayPort] = services.gateway.split(':');
export const gateway = { host: gatewayHost, port: Number(gatewayPort) };

/** The address of the school in this network: each connection goes to the Service of the gateway, as it is. */
export function openDoor() {
  const door = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({ ...gateway, allowHalfOpen: true });
    from.pipe(to).pipe(from);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ])
      one.on('error', () => other.destroy());
  });
  return new Promise((resolve) => door.listen(8080, '127.0.0.1', () => resolve(() => door.close())));
}

/** Asks until the outcome is right, for a minute at most: services hear of each other with a delay. */
export async function once(what, work, isRight) {
  let outcome;
  for (const began = Date.now(); Date.now() - began < 60_000; await sleep(250)) {
    outcome = await work().catch((error) => ({ status: 0, body: String(error) }));
    if (isRight(outcome)) return outcome;
  }
  throw new Error(`${what}: ${outcome.status} ${JSON.stringify(outcome.body).slice(0, 400)}`);
}
const isDone = ({ status }) => status >= 200 && status < 300;

/** The operator's command, at the operator listener of a service. */
export function operate(service, ...args) {
  const env = { ...process.env, OPERATOR_URL: `http://${services[`${service}-operator`]}` };
  const { status, stdout, stderr } = spawnSync('node', ['libs/tools/operator/dist/main.js', ...args, '--json'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`lyceum ${args.join(' ')}: ${stderr}${stdout}`);
  return JSON.parse(stdout);
}

const operatorCall = (service, path, json) =>
  call(`http://${services[`${service}-operator`]}${path}`, {
    token: process.env.OPERATOR_TOKEN,
    headers: { 'idempotency-key': randomUUID() },
    json,
  });

/** Where an operator says that what a buyer owes has come by a bank transfer. */
const transferred = (order) => `/internal/payments/manual/${order}/capture`;
/** The same where the payments of an installation move no money, as without `PAYMENT_PROVIDERS`. */
export const pretended = (order) => `/internal/payments/test/${order}/succeed`;

export class School {
  static async provision() {
    const school = new School();
    const fields = {
      slug: 'harbour',
      name: 'Harbour School',
      'base-url': base,
      currency: 'EUR',
      timezone: 'Europe/Lisbon',
      locale: 'en',
    };
    const flags = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]);
    const isOurs = ({ slug }) => slug === fields.slug;
    const provision = async () => {
      // What took too long to answer may have been done all the same.
      const made = operate('school', 'schools', 'list').find(isOurs);
      return { status: 201, body: made ?? operate('school', 'schools', 'create', ...flags) };
    };
    school.id = (await once('a school', provision, isDone)).body.id;
    return school;
  }

  /** Lets the owner in by an invitation; they sign in with a client of their own. */
  async signIn() {
    // The acceptance may be run again on the same installation.
    const email = `owner-${randomUUID()}@harbour.test`;
    const password = 'seven kites above the harbour';
    const invite = () => operatorCall('school', '/internal/members', { school: this.id, email, role: 'owner' });
    const invited = await once('an invitation', invite, isDone);
    const join = async () => {
      const person = new Person();
      return person.submit(await person.visit(invited.body.invitation_url), { name: 'Zoe', password });
    };
    await once('the owner joins', join, ({ status }) => status === 200);
    const scope =
      'courses:read courses:write curriculum:write lecturers:read lecturers:write orders:read account:read school:read';
    const tokens = async () => {
      this.client = await Client.register(base);
      const body = await this.client.tokens(email, password, scope);
      return { status: 200, body };
    };
    this.tokens = (await once('the owner signs in', tokens, isDone)).body;
  }

  /** An access token that is good for its whole time from now on. */
  async freshToken() {
    const refreshed = await once('a refresh', () => this.client.refresh(this.tokens.refresh_token), isDone);
    this.tokens = refreshed.body;
    return this.tokens.access_token;
  }

  #post = (path, json = {}) =>
    once(
      `POST ${path}`,
      () =>
        call(`${base}/api${path}`, {
          token: this.tokens.access_token,
          json,
          headers: { 'idempotency-key': randomUUID() },
        }),
      isDone,
    );

  /** A course of one lesson that costs ten euros. */
  async publishCourse() {
    const lecturer = await this.#post('/lecturers', { display_name: 'Ada' });
    const prices = [{ amount: 1_000, currency: 'EUR' }];
    const course = await this.#post('/courses', {
      title: 'Rigging',
      access: 'paid',
      prices,
      lecturer_ids: [lecturer.body.id],
    });
    const at = `/courses/${course.body.id}`;
    const section = await this.#post(`${at}/sections`, { title: 'All' });
    const lesson = await this.#post(`${at}/lessons`, {
      section_id: section.body.id,
      title: 'Knots',
      type: 'text',
      release: { type: 'immediate' },
    });
    await this.#post(`${at}/lessons/${lesson.body.id}/publish`);
    await this.#post(`${at}/publish`);
    this.course = course.body.id;
  }

  /** Somebody buys the course; the operator says by `said` that its payment has come. Gives the order once it is fulfilled. */
  async sell(said = transferred) {
    const json = { items: [{ item_type: 'course', item_id: this.course }], email: `buyer-${randomUUID()}@people.test` };
    const order = () => call(`${base}/api/checkout`, { json, headers: { 'idempotency-key': randomUUID() } });
    const placed = await once('an order', order, isDone);
    const confirm = () => operatorCall('commerce', said(placed.body.id), { school: this.id, event_id: placed.body.id });
    await once('its payment', confirm, isDone);
    const read = () => call(`${base}/api/orders/${placed.body.id}`, { token: this.tokens.access_token });
    return (await once('its fulfilment', read, ({ body }) => body.fulfilled_at)).body;
  }
}
