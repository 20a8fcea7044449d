import { describe, expect, test } from '@jest/globals';
import { recordHeaders } from '@lyceum/channel';
import { factSources, facts, factsOf, wireSchema } from '@lyceum/contracts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApiOf } from './asyncapi.ts';

const file = join(import.meta.dirname, '../../../../../docs/integration-events/asyncapi.json');

interface Message {
  readonly name: string;
  readonly summary?: string;
  readonly headers: { readonly properties: Readonly<Record<string, { readonly const: string }>> };
  readonly payload: { readonly $ref: string };
}
interface Document {
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly messages: Readonly<Record<string, { readonly $ref: string }>> }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<
      Record<string, { readonly $id: string; readonly required?: readonly string[]; readonly properties: object }>
    >;
  };
}

const document = asyncApiOf(facts) as unknown as Document;
const written = `${JSON.stringify(document, null, 2)}\n`;
if (process.env['GOLDEN'] === 'add') writeFileSync(file, written);

const at = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((found, name) => (found as Readonly<Record<string, unknown>>)[name], document);

describe('docs/integration-events/asyncapi.json', () => {
  test('says of every topic what the code says: npm run golden writes it', () => {
    expect(readFileSync(file, 'utf8') === written).toBe(true);
  });

  test('has a topic for each service, and each of its events with words, version and schema', () => {
    expect(Object.keys(document.channels)).toEqual([...factSources]);
    for (const source of factSources) {
      const { address, messages } = document.channels[source]!;
      expect(address).toBe(`${source}.events`);
      expect(Object.keys(messages)).toEqual([...Object.keys(factsOf(source)), 'lyceum.none']);
      for (const [type, { version, data }] of Object.entries(factsOf(source))) {
        const message = at(messages[type]!.$ref) as Message;
        expect([type, message.summary]).toEqual([type, expect.stringMatching(/^[A-Z].{10,}/)]);
        const schema = at(message.payload.$ref) as Document['components']['schemas'][string];
        const urn = `urn:lyceum:fact:${source}:${type}:${version}`;
        expect([schema.$id, message.headers.properties['ce_dataschema']!.const]).toEqual([urn, urn]);
        expect(Object.keys(schema.properties)).toEqual(Object.keys(data.shape));
        expect([...(schema.required ?? [])].toSorted()).toEqual(
          [...((wireSchema(data)['required'] ?? []) as string[])].toSorted(),
        );
      }
    }
  });

  test('every reference leads somewhere, and schemas have none, so that each can be taken alone', () => {
    const references = [...written.matchAll(/"\$ref": "([^"]+)"/g)].map(([, target]) => target!);
    expect(references.length).toBeGreaterThan(500);
    expect(references.filter((target) => at(target) === undefined)).toEqual([]);
    expect(JSON.stringify(document.components.schemas)).not.toContain('$ref');
  });

  test('knows every header of a record', () => {
    const { schemas } = document.components;
    expect(Object.keys(schemas['event-headers']!.properties)).toEqual(Object.keys(recordHeaders));
    expect(schemas['record-headers']!.required).not.toContain('ce_subject');
    expect(schemas['event-headers']!.required).toContain('ce_subject');
    expect(schemas['event-headers']!.required).not.toContain('ce_commit');
  });

  test('is explained by a page that names every topic and every header', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/writing-a-consumer.md'), 'utf8');
    const names = [...Object.keys(recordHeaders), ...factSources.map((source) => `${source}.events`)];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
