// Search, read and count: what a report or a bot does first.
import {client, inside, openTicket, tell} from '../desk.js';

await tell(async () => {
  const ticket = await openTicket();
  const shown = inside(await client.tickets.show(ticket.id));
  const comments = await client.tickets.getComments(ticket.id);
  const audits = await client.tickets.exportAudit(ticket.id);
  const metrics = inside(await client.tickets.listMetrics(ticket.id));
  const all = await client.search.queryAll('type:ticket status:open');
  const count = inside(await client.search.showResultsCount('type:ticket status:open'));
  const requester = inside(await client.users.show(ticket.requester_id));
  return {
    same: shown.id === ticket.id && shown.status === 'open',
    comments: comments.length,
    audits: audits.length,
    metrics: (metrics.ticket_metric ?? metrics).ticket_id === ticket.id,
    found: all.length,
    count: count.count ?? count,
    requester: requester.id === ticket.requester_id,
  };
});
