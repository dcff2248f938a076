/** The place on the event page where a reminder is asked for, as links name it. */
export const reminderId = 'avvisami';
