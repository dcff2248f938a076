/** The booking that waits for its answer, as the tab keeps it. */
import { expect, test } from 'vitest';
import {
  bodyOf,
  forgetBooking,
  forgetBookingOf,
  keepBooking,
  openBookingOf,
  parseOpenBooking,
} from '#apps/booking/event/open-booking.ts';

const booking = {
  event_id: 'serata',
  hold_token: 'h1',
  selected_objects: [
    { object_id: 'A-1', ticket_type: 'intero' },
    { object_id: 'Loggione', quantity: 2 },
  ],
};

test('a kept booking is sent again with the very same body', () => {
  const { event_id: _, ...body } = booking;
  expect(bodyOf(parseOpenBooking(JSON.stringify({ ...booking, order_id: 'o1' }))!)).toEqual(body);
});

test.each([
  null,
  '',
  'not json',
  'null',
  '[]',
  '{"event_id":"serata"}',
  '{"event_id":"serata","hold_token":"h","selected_objects":[{"object_id":1}]}',
])('storage that says %j counts as no booking', (text) => {
  expect(parseOpenBooking(text)).toBeNull();
});

test('a booking belongs to its event, and is forgotten with its own order only', () => {
  keepBooking({ ...booking, order_id: 'o1' });
  expect(openBookingOf('another')).toBeNull();
  forgetBookingOf('o2');
  expect(openBookingOf('serata')).toMatchObject({ hold_token: 'h1' });
  forgetBookingOf('o1');
  expect(openBookingOf('serata')).toBeNull();
  keepBooking(booking);
  forgetBooking();
  expect(openBookingOf('serata')).toBeNull();
});
