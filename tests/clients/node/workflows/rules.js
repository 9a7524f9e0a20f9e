// Views, macros and the promises of the desk.
import {client, inside, openTicket, tell} from '../desk.js';

await tell(async () => {
  const views = await client.views.list();
  const view = views.find((one) => one.title === 'Unassigned tickets') ?? views[0];
  const pages = await client.views.tickets(view.id); // the client leaves the pages of a view as they come
  const listed = pages.flatMap((page) => page.tickets);
  const count = inside(await client.views.showCount(view.id));
  const macros = await client.macros.list();
  const ticket = await openTicket();
  const applied = inside(await client.macros.applyTicket(ticket.id, macros[0].id));
  const policies = await client.policies.list();
  return {
    views: views.length,
    counted: (count.view_count ?? count).value === listed.length,
    macros: macros.length,
    applied: (applied.result ?? applied).ticket !== undefined,
    policies: policies.flatMap((page) => page.sla_policies).length,
  };
});
