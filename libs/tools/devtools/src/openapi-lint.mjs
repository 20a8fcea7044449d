import { createConfig, lintFromString } from '@redocly/openapi-core';

const rules = {
  'operation-description': 'error',
  'info-contact': 'error',
  'tag-description': 'error',
  // A page that leads on answers 303, and nothing else where it went well.
  'operation-2xx-response': 'off',
};

/** What an independent linter finds in an OpenAPI document by its recommended rules and ours, warnings too; empty when all is well. */
export const openapiProblems = (document) => problemsOf(document, rules);

/** The same for an AsyncAPI document. How one signs in to its brokers each installation decides for itself. */
export const asyncApiProblems = (document) => problemsOf(document, { 'security-defined': 'off' });

async function problemsOf(document, rules) {
  const config = await createConfig({ extends: ['recommended'], rules });
  const found = await lintFromString({ source: JSON.stringify(document), config });
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? '#'}`);
}
