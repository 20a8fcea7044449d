/** The outcome of one attempt: delivered, to be tried again, or never to be tried again. */
export type Outcome = 'sent' | 'unavailable' | 'refused';
