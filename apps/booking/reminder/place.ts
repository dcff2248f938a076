/** Where on the event page one asks for a reminder: links lead there by it. */
export const reminderId = 'avvisami';
