// Comment, update, and an update that somebody else overtook.
import {client, inside, openTicket, refusal, tell} from '../desk.js';

await tell(async () => {
  const ticket = await openTicket();
  await client.tickets.update(ticket.id, {
    ticket: {priority: 'urgent', comment: {body: 'Zaubertrank is on its way', public: true}},
  });
  const changed = inside(await client.tickets.show(ticket.id));
  const bodies = (await client.tickets.getComments(ticket.id)).map((comment) => comment.body);
  const refused = await refusal(client.tickets.update(ticket.id, {
    ticket: {subject: 'Too late', safe_update: true, updated_stamp: '2020-01-01T00:00:00Z'},
  }));
  await client.tickets.update(ticket.id, {
    ticket: {subject: 'In time', safe_update: true, updated_stamp: changed.updated_at},
  });
  return {
    priority: changed.priority,
    said: bodies.includes('Zaubertrank is on its way'),
    refused,
    subject: inside(await client.tickets.show(ticket.id)).subject,
  };
});
