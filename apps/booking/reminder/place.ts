/** The anchor of the reminder form on the event page. */
export const reminderId = 'avvisami';
