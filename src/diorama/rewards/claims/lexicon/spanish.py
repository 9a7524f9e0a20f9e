"""Spanish words for deeds."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.form import MONEY, Frame, language

_SUM = f"{MONEY}|dinero|importe|cantidad|suma|pago|precio|gastos|cargo|total|cobro|impuesto|iva|monto"
_CREDIT = "saldo|crédito|créditos|vale|vales|cupón|bono|tarjeta regalo|crédito en la tienda|saldo de la tienda|cheque regalo"  # noqa: E501 - one list
_DONE = "realizado|realizada|realizó|emitido|emitida|hecho|hecha|tramitado|tramitada|procesado|procesada|efectuado|efectuada|en camino|en curso|ordenado|ejecutado|enviado|enviada|completado|autorizado|aprobado|concedido|gestionado|lanzado|registrado|salió|ha salido|está hecho|recibirá|recibirás|hizo|hicimos|iniciado|confirmado"  # noqa: E501 - one list
_SENT = "enviado|enviada|enviados|enviadas|enviamos|enviaremos|envío|mandado|mandada|mandamos|mandaremos|expedido|despachado|despachada|salido|sale|en camino|de camino|enviaré|mando|recibirá|recibirás|recibe|llegará|preparando|embalando|empaquetando|envía|va en camino|ha salido|salió|entregado|remitido|remitimos|concedido|aprobado"  # noqa: E501 - one list
_MACHINE = "máquina|aparato|equipo|molinillo|xmachine|cafetera|unidad"
_PART = "pieza|piezas|junta|juntas|repuesto|recambio|interruptor|válvula|bomba|resistencia|placa|motor|manguera|xpart|recambios|componente|sello"
_PARCEL = "paquete|pedido|mercancía|artículos|artículo|envío|café|lo|la|los|las|xrecord|xproduct|bolsa|bolsas"
_AGAIN = "de nuevo|otra vez|nuevamente|una segunda vez|por segunda vez|otro paquete|nuevo paquete|nuevo envío|segundo envío|otro"  # noqa: E501 - one list
_LABEL = "etiqueta|etiquetas|etiqueta de devolución"
_ADDRESS = "dirección|direcciones|destino|domicilio"
_ABO = "suscripción|suscripciones|plan|café|pedido|contrato|envíos"

_FRAMES = (
    Frame("refund", "reembolsado|reembolsada|reembolsados|reembolsamos|reembolsaremos|reembolsaré|reembolsé|reintegrado|reintegrada|reintegramos|reintegraremos|reembolsa|reembolso el|se le reembolsa|se le ha reembolsado"),
    Frame("refund", "devuelto|devuelta|devueltos|devolvemos|devolveremos|devolví|devolveré|devolvimos|devuelvo", (_SUM + "|xrecord|tarjeta",), without="paquete ha|ha vuelto"),
    Frame("refund", "abonado|abonada|abonados|abonamos|abonaremos|ingresado|ingresada|ingresamos|transferido|transferida|transferimos|transferiremos|acreditado|acreditada|acreditamos|vuelto|vuelve|de vuelta|revertido|anulado el cargo|retrocedido",
          (_SUM, "en su tarjeta|a su tarjeta|en tu tarjeta|a tu tarjeta|tarjeta|cuenta bancaria|banco|visa|mastercard|amex|xcard|medio de pago|forma de pago"), without="saldo|vale|crédito"),
    Frame("refund", "reembolso|reembolsos|devolución|reintegro", (_DONE,), without="solicitud|etiqueta"),
    Frame("refund", "reembolsar*|devolver*|reintegrar*", ("vamos a|voy a|va a|acabamos de|acabo de", _SUM + "|tarjeta"), without="tendrá que"),
    Frame("refund", "recibirá|recibirás|recibe|recupera|recuperará", (f"{MONEY}|dinero|importe|reembolso", "reembolso|vuelta|devuelto|devolución|tarjeta")),

    Frame("credit", "abonado|abonados|añadido|añadidos|añadimos|concedido|concedidos|cargado|ingresado|ingresados|convertido|sumado|regalado|dado|damos|regalamos|ofrecemos|abonamos|acreditado|acreditados|tiene|tienes|dispone|recibe|recibirá|recibirás|espera|puesto|emitido|otorgado|concedemos|doy",
          (_CREDIT,), without="tarjeta de crédito"),

    Frame("cancellation", "cancelado|cancelada|canceladas|cancelados|anulado|anulada|cancelamos|cancelaremos|dado de baja|dada de baja|anulamos|de baja|cancelé|rescindido|rescindida", without="cargo|pago|cobro|tarjeta"),
    Frame("cancellation", "terminado|terminada|finalizado|finalizada|detenido|detenida|parado|parada|concluido|concluida|suspendida definitivamente|desactivada", ("suscripción|plan|contrato",), without="garantía|plazo"),
    Frame("cancellation", "cancelación|anulación|baja", ("confirmada|efectuada|hecha|tramitada|registrada|confirmamos|realizada",)),

    Frame("pause", "en pausa|pausado|pausada|pausamos|suspendido|suspendida|congelado|congelada|interrumpido", (_ABO + "|lo|la",)),

    Frame("address_change", "cambiado|cambiada|actualizado|actualizada|modificado|modificada|corregido|corregida|redirigido|redirigida|cambiamos|actualizamos|desviado|puesto|sustituido", (f"{_ADDRESS}|xstreet|xpostcode",), without="correo|e-mail|nada|electrónic*"),
    Frame("address_change", "redirigido|redirigida|desviado|desviada"),
    Frame("address_change", "ahora va a|irá ahora|ahora irá|se enviará ahora|ahora se envía|a partir de ahora", ("xstreet|xpostcode",)),

    Frame("replacement_machine", _SENT, ("nueva máquina|máquina nueva|aparato nuevo|nuevo aparato|xmachine nueva|xmachine nuevo|nueva xmachine|nuevo xmachine|máquina de sustitución|equipo nuevo|nuevo equipo|unidad nueva|nueva unidad|molinillo nuevo|nuevo molinillo|cafetera nueva|nueva cafetera|de reemplazo",), without=_PART),
    Frame("replacement_machine", "sustituido|sustituida|cambiado|cambiada|reemplazado|reemplazada|sustituimos|cambiamos|reemplazamos|sustituiremos|reemplazaremos", (_MACHINE,), without=_PART),

    Frame("replacement_machine", "sustituir*|cambiar*|reemplazar*", ("vamos a|voy a", _MACHINE), without=_PART),

    Frame("part", _SENT, (_PART,), without="etiqueta"),

    Frame("reshipment", "reenviado|reenviada|reenviamos|reenviaremos|reenvío|reexpedido|nuevo envío|segundo envío", without="factura|correo|enlace|mensaje|confirmación"),
    Frame("reshipment", _SENT, (_AGAIN, _PARCEL), without="factura|correo|enlace|mensaje|confirmación|otra vez desde"),

    Frame("label", "adjunta|adjunto|adjuntamos|enviada|enviado|enviamos|envío|enviaremos|creada|encontrará|recibirá|recibirás|en su correo|por correo|usar|utilice|use|generado|generada|mandamos|preparada|emitida", (_LABEL,)),

    Frame("extra", "descuento|rebaja|código promocional|mitad de precio|% en", ("ofrecemos|recibirá|tiene|damos|tendrá|concedemos|recibirás|aplicado|disfrute|regalamos|obtendrá",)),
    Frame("extra", "gratis|regalo|regalamos|gratuito|gratuita|corre de nuestra cuenta|invitamos", ("bolsa|café|envío|regalo|primera|próxima|próximo",)),
    Frame("extra", "técnico|mecánico|reparador", ("pasará|irá|vendrá|visitará|va|acudirá",)),
    Frame("extra", "llamará|llamaremos|llamará por teléfono|telefoneará|llamo", ("le|te",)),
    Frame("extra", "reparamos|repararemos|arreglaremos", ("gratis|taller|máquina|xmachine|gratuitamente",)),
    Frame("extra", "ampliado|ampliada|ampliamos|prolongado|extendido|extendida", ("garantía|plazo",)),
    Frame("extra", "llega|llegará|recibirá|entregará|entregado|tendrá en casa|estará en su casa|recibirás", ("xday|xdate|24 horas|48 horas|esta semana|próxima semana",), without="estaba|llegó|fue|normalmente|reembolso|dinero"),
    Frame("extra", "bloqueado|bloqueada|restablecido|restablecida|eliminado", ("cuenta|contraseña|tarjeta",)),
    Frame("extra", "xpercent+descuento|xpercent de|descuento+xpercent|le regalamos|te regalamos|de regalo|a mitad de precio"),
)  # fmt: skip

SPANISH = language(
    "es",
    "el la los las un una de del y o es son está están ha han hemos he ser su sus usted le les nos nuestro nuestra yo tu te lo que "
    "en para por con al a se no ni más como pero si hola gracias estimado estimada sr sra ya también porque cuando fue era será "
    "desde hasta muy esto este esta ese esa sin sobre apreciado apreciada saludos",
    _FRAMES,
    {
        "refund": "reembols*|devuel*|devol*|reintegr*|abonad*|abonam*|tarjeta|dinero|ingres*|acredit*|transfer*|vuelt*|revert*|anulad*",
        "credit": "saldo|crédito|vale|bono|cupón|abonad*|tienda|cuenta|créditos",
        "cancellation": "cancel*|anul*|baja|terminad*|finaliz*|fin|detenid*|parad*|no habrá más|ningún|rescind*|concluid*|acabad*|termin*",
        "pause": "paus*|suspend*|salt*|omit*|interrump*|aplaz*|congel*|descans*",
        "skip": "paus*|suspend*|salt*|omit*|próxim*|siguiente|dejamos|después|luego|no",
        "resumption": "reanud*|reinici*|reactiv*|de nuevo|vuelv*|empez*|empiez*|comenz*|comienz*|activa|otra vez|retom*|march*",
        "plan_change": "cambi*|pas*|modific*|a partir|desde|plan|suscripción|recibirá|recibirás|ahora",
        "address_change": "xstreet|xpostcode|dirección|va|irá|envi*|entreg*|ahora|cambi*|actualiz*|mandam*|llegará|nueva|a|sal*|reenv*",
        "replacement_machine": "nueva|nuevo|sustitu*|reemplaz*|cambi*|enviado|enviada|envi*|camino|otra",
        "part": "pieza|piezas|junta|juntas|repuesto|recambio|xpart|envi*|mandad*|camino|gratis|gratuit*|sin coste|mandam*",
        "reshipment": "reenv*|nuevo|nueva|otra vez|nuevamente|segunda|segundo|enviad*|enviam*|mandam*|volv*",
        "label": "etiqueta|etiquetas|devolución|rma|devolver|devuelv*",
    },
    {
        "refusal": "no|imposible|ningún|ninguna|ni|nunca|tampoco|nada|denega*|rechaz*|lamentablemente",
        "other_owner": "otra|otro|alguien|ajen*|no está a su nombre|nombre|titular|propietari*|tercer*",
        "email": "correo|e-mail|email|dirección|buzón|mail|electrónico|remitente|aquel",
        "account": "cuenta|registrad*|asociad*|pedido|compra|compró|figura|consta|vinculad*|ficha|conocemos|usó|utilizó|hizo|corresponde|coincide|original|habitual",
        "included": "incluid*|incluye|contenid*|forma parte|ya|parte|nada|dentro|sumad*|añadid*|comprendid*|aparte",
        "payout": "pagar|dinero|efectivo|convertir*|canje*|tarjeta|abonar|retirar|transferir|convert*|pagado|devolver|reembols*|metálico|banco|pag*|cambi*",
        "works_again": "resuelt*|solucionad*|arreglad*|funciona*|reparad*|normal*|restablecid*|corregid*|terminad*|orden|de nuevo|nuevo|march*|acabad*|pasad*|subsanad*",
        "subscription": "suscripción|suscripciones|renovación|renovaciones|plan|café|bolsa|bolsas|renov*",
        "invoice": "factura|facturas|facturación",
        "return": "devol*|devuel*|devolución|retorn*",
        "card": "tarjeta|visa|mastercard|amex|medio de pago|forma de pago|método de pago|xcard|banco|pagó|pagaste",
        "credit": "saldo|crédito|vale|bono|cupón|tienda|cuenta",
        "no_notice": "preaviso|hoy|inmediat*|ahora|ya|sin plazo|enseguida|plazo|obligad*|compromiso|permanencia|no hace falta|no tiene que|mínimo",
    },
    negation=r"\b(?:no|nunca|jamas|nada|ningun|ninguna|ninguno|ni|tampoco|sin|imposible|en lugar de|en vez de)\b",
    aux="nosotros|yo|vamos|voy|va",
    exempt="puede|puedo|podemos|podría|podríamos|podrá|poder|posible|quiere|quería|quisiera|gustaría|debe|debería|tendría|prometi*|promesa|si|para que|sería|serían|habría|derecho|tiene que|hay que|procede",
    wish="pidió|pide|solicit*|propuso|propus*|por favor|pregunta|ruego|rogamos|envíenos|escríbanos|esperamos|desea|deseaba",
    general="siempre|solo|sólo|únicamente|normalmente|en general|regla|cada|clientes|generalmente|habitualmente|exclusivamente|suele",
    conditional="si|cuando|en cuanto|una vez|a menos que|salvo que|siempre que|en caso|de lo contrario|hasta que|tras recibir|según|sería|cuando llegue|podría|podrá",
    finished="hemos|he|ha|han|fue|fueron|había|está|están|ya",
    failed="no se pudo|no pudo|no pudimos|no ha podido|no hemos podido|ha fallado|falló|retirado|revocado",
    limiting="sin|había|habían|segunda|segundo|dos veces|otra|otro|otros|otras|adicional|más|también|además|antes|hasta|solo|sólo|doble|primer|primera|primero|gastos|envío|saldo|vale|efectivo|banco|xdate|entonces|directamente|nuevo|prometid*",
    breaks=r"\s(?:(?:pero|sin embargo|aunque|porque|ya que|mientras|sino|asi que)\b|y (?=hemos|he|le|les|nos|el|la|los|las|su|sus|un|una|no |ha|han|se|te|tu|xamount|ademas|ningun|enviamos|mandamos|anulado|cancelado))",
)  # fmt: skip
