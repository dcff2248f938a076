/** Where this tab keeps the change of date that it is at. */
import { keptText } from '#apps/booking/shell/kept-text.ts';

export const keptExchange = keptText('sessionStorage', 'botteghino.exchange.1');
