import { outcomes } from './registering/registration-sending.ts';

type Json = Readonly<Record<string, unknown>>;

const page = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

const about = {
  tags: ['form_pages'],
  security: [],
  parameters: [{ name: 'form', in: 'path', required: true, description: 'Id of the form', schema: { type: 'string' } }],
};
const forPeople = 'A page for people. Programs use POST /api/forms/{form}/submissions.';
const failures = { 404: page('No public page shows the form'), 503: page('Not available at the moment') };

const aboutEvents = {
  tags: ['form_pages'],
  security: [],
  parameters: [
    { name: 'event', in: 'path', required: true, description: 'Slug of the event', schema: { type: 'string' } },
  ],
};
const forGuests = 'A page for people. Programs use POST /api/events/{event}/registrations.';
const eventFailures = { 404: page('There is no such event'), 503: page('Not available at the moment') };

/** The form by which guests register for an event. */
const registeringPaths: Readonly<Record<string, Json>> = {
  '/register/{event}': {
    get: {
      ...aboutEvents,
      operationId: 'openRegistrationForm',
      summary: 'The form for guests of an event, alone',
      description: forGuests,
      responses: { 200: page('The form, or why guests cannot register'), ...eventFailures },
    },
    post: {
      ...aboutEvents,
      operationId: 'sendRegistrationForm',
      summary: 'The form for guests of an event, as browsers send it',
      description: `${forGuests} It is sent for nobody: no cookie is looked at.`,
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                'a.name': { type: 'string', description: 'Name of the guest' },
                'a.email': { type: 'string', description: 'Where the school writes to' },
                website: { type: 'string', description: 'A trap: it stays empty' },
              },
            },
          },
        },
      },
      responses: {
        303: { description: 'On to the page that says what came of it' },
        400: page('It is no form'),
        409: page('No seat is left, it is too late, or the event is not free'),
        413: page('It is too long'),
        422: page('What has to be answered otherwise'),
        429: page('Too many registrations; wait as Retry-After says'),
        ...eventFailures,
      },
    },
  },
  '/register/{event}/{outcome}': {
    get: {
      ...aboutEvents,
      parameters: [
        ...aboutEvents.parameters,
        {
          name: 'outcome',
          in: 'path',
          required: true,
          description: 'What came of it',
          schema: { type: 'string', enum: outcomes },
        },
      ],
      operationId: 'openRegisteredPage',
      summary: 'What came of the registration of a guest',
      description: forGuests,
      responses: { 200: page('What came of it'), ...eventFailures },
    },
  },
};

/** The forms of the school's pages, as the OpenAPI document describes them. */
export const formPaths: Readonly<Record<string, Json>> = {
  '/forms/{form}': {
    get: {
      ...about,
      operationId: 'openFormPage',
      summary: 'A form of a page, alone',
      description: forPeople,
      responses: { 200: page('The form'), ...failures },
    },
    post: {
      ...about,
      operationId: 'sendFormByPage',
      summary: 'The form of a page, as browsers send it',
      description: `${forPeople} It is sent for nobody: no cookie is looked at.`,
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                consent: { type: 'string', enum: ['true'], description: 'Whether the sender agrees to what is asked' },
                website: { type: 'string', description: 'A trap: it stays empty' },
              },
              additionalProperties: { type: 'string', description: '`a.` and the key of a field: the answer to it' },
            },
          },
        },
      },
      responses: {
        303: { description: 'On to the page that says that it was sent' },
        400: page('It is no form'),
        413: page('It is too long'),
        422: page('What has to be answered otherwise'),
        429: page('Too many forms; wait as Retry-After says'),
        ...failures,
      },
    },
  },
  '/forms/{form}/sent': {
    get: {
      ...about,
      operationId: 'openFormSentPage',
      summary: 'That a form was sent',
      description: forPeople,
      responses: { 200: page('What the school says to whoever has sent it'), ...failures },
    },
  },
  ...registeringPaths,
};
